/// Goes up when a seed or a scenario may come to something else than before.
package let faultlineVersion = "0.6"
