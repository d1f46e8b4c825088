/// The version of Faultline, raised whenever a seed or a scenario can result in another run.
package let faultlineVersion = "0.6"
